/** Numbers that follow from the scenario alone, as the API derives them; absent where the scenario has none. */
import { isObject } from "@/lib/path";

export type Derived = {
  /** The chosen buffer, B. */
  buffer?: number;
  /** Most that the congested queue may hold of it, B. */
  queueBuffer?: number;
  /** Rate of the bottleneck, bit/s. */
  capacity?: number;
  /** Round-trip propagation time, s. */
  rtt?: number;
  /** Bandwidth-delay product, B. */
  bdp?: number;
  /** Time to empty the chosen buffer, s. */
  drainTime?: number;
  /** Full packet on the wire, B. */
  mtu?: number;
  /** Long-lived flows. */
  flows?: number;
  /** Offered load of short flows. */
  load?: number;
};

export function readDerived(raw: unknown): Derived {
  const source = isObject(raw) ? raw : {};
  const read = (name: string) => {
    const value = source[name];
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  const [buffer, packets] = [read("buffer"), read("buffer_packets")];
  const found: Record<keyof Derived, number | undefined> = {
    buffer,
    queueBuffer: read("queue_buffer"),
    capacity: read("capacity"),
    rtt: read("rtt"),
    bdp: read("bdp"),
    drainTime: read("drain_time"),
    mtu: buffer === undefined || packets === undefined ? undefined : buffer / packets,
    flows: read("flows"),
    load: read("load"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Ratio of the buffer to the part that the congested queue may hold, which is what rules size. */
export const memoryOver = ({ buffer, queueBuffer }: Derived): number =>
  buffer === undefined || queueBuffer === undefined ? 1 : Math.max(1, buffer / queueBuffer);
