/** Where the nodes of a fabric are drawn: switches in layers above their hosts, in a ring, or one in the middle. */
import type { Fabric } from "@/lib/fabric";

/** More hosts than this are drawn as one box a switch, and more rows of them below one of several switches. */
export const MOST_HOSTS = 256;
const MOST_ROWS = 3;

export type Place = {
  name: string;
  kind: "host" | "switch";
  x: number;
  y: number;
  /** How many hosts it stands for. */
  hosts: number;
};
export type Wire = { from: string; to: string; /** Ports that are drawn as this line. */ ports: string[] };
export type Layout = { places: Place[]; wires: Wire[]; width: number; height: number; joined: boolean };

const WIDTH = 960;
const LAYER = 110;

export function layoutOf({ nodes, ports }: Fabric): Layout {
  const switches = nodes.filter(({ kind }) => kind === "switch").map(({ name }) => name);
  const isSwitch = new Set(switches);
  const neighbours = new Map<string, Set<string>>();
  for (const { from, to } of ports) {
    neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
    neighbours.set(to, (neighbours.get(to) ?? new Set()).add(from));
  }
  const hosts = nodes.filter(({ kind, name }) => kind !== "switch" && neighbours.has(name)).map(({ name }) => name);
  // A host stands below the first switch that it is linked to.
  const homeOf = (host: string) => [...(neighbours.get(host) ?? [])].find((one) => isSwitch.has(one)) ?? "";
  const below = new Map<string, string[]>();
  for (const host of hosts) below.set(homeOf(host), [...(below.get(homeOf(host)) ?? []), host]);
  const most = Math.max(...[...below.values()].map((mine) => mine.length), 0);
  const joined = hosts.length > MOST_HOSTS || (below.size > 1 && most > MOST_ROWS * columnsOf(below.size));
  const drawn = (name: string) => (joined && !isSwitch.has(name) ? `hosts of ${homeOf(name)}` : name);

  const layers = layersOf(switches, neighbours, below);
  const places =
    layers.length === 1 && switches.length > 2 ? ring(switches, below, joined) : stack(layers, below, joined);
  const wires = new Map<string, Wire>();
  for (const { port, from, to } of ports) {
    const [a, b] = [drawn(from), drawn(to)];
    const wire = wires.get(`${a}>${b}`) ?? { from: a, to: b, ports: [] };
    wire.ports.push(port);
    wires.set(`${a}>${b}`, wire);
  }
  const height = Math.max(...places.map(({ y }) => y), 0) + 50;
  return { places, wires: [...wires.values()], width: WIDTH, height, joined };
}

/** Switches by their distance from those that have hosts. */
function layersOf(switches: string[], neighbours: Map<string, Set<string>>, below: Map<string, string[]>): string[][] {
  const layers = [switches.filter((one) => below.has(one))];
  const seen = new Set(layers[0]);
  for (;;) {
    const next = switches.filter(
      (one) => !seen.has(one) && [...(neighbours.get(one) ?? [])].some((other) => seen.has(other)),
    );
    if (next.length === 0) break;
    for (const one of next) seen.add(one);
    layers.push(next);
  }
  const rest = switches.filter((one) => !seen.has(one));
  return rest.length > 0 ? [...layers, rest] : layers;
}

/** Hosts that stand beside one another below each of so many switches. */
const columnsOf = (switches: number) => Math.max(1, Math.floor(WIDTH / switches / (switches === 1 ? 46 : 40)));

const hostsOf = (names: string[], home: string, joined: boolean): { name: string; hosts: number }[] =>
  names.length === 0
    ? []
    : joined
      ? [{ name: `hosts of ${home}`, hosts: names.length }]
      : names.map((name) => ({ name, hosts: 1 }));

/** Layers from the top down, hosts at the bottom: as many rows as they need. */
function stack(layers: string[][], below: Map<string, string[]>, joined: boolean): Place[] {
  const places: Place[] = [];
  const top = 40;
  const leaves = layers[0] ?? [];
  layers.toReversed().forEach((layer, level) => {
    layer.forEach((name, i) => {
      places.push({
        name,
        kind: "switch",
        x: (WIDTH * (i + 0.5)) / layer.length,
        y: top + level * LAYER,
        hosts: 0,
      });
    });
  });
  const floor = top + layers.length * LAYER;
  leaves.forEach((leaf, i) => {
    const mine = hostsOf(below.get(leaf) ?? [], leaf, joined);
    const width = WIDTH / leaves.length;
    const columns = Math.max(1, Math.min(mine.length, columnsOf(leaves.length)));
    mine.forEach(({ name, hosts }, j) => {
      places.push({
        name,
        kind: "host",
        x: width * i + (width * ((j % columns) + 0.5)) / columns,
        y: floor + Math.floor(j / columns) * 44,
        hosts,
      });
    });
  });
  return places;
}

/** Switches that all have hosts stand in a ring, their hosts outside. */
function ring(switches: string[], below: Map<string, string[]>, joined: boolean): Place[] {
  const [middle, inner, outer] = [{ x: WIDTH / 2, y: 230 }, 110, 195];
  return switches.flatMap((name, i) => {
    const angle = (2 * Math.PI * i) / switches.length - Math.PI / 2;
    const at = (radius: number, turn: number) => ({
      x: middle.x + 1.6 * radius * Math.cos(turn),
      y: middle.y + radius * Math.sin(turn),
    });
    const mine = hostsOf(below.get(name) ?? [], name, joined);
    const spread = (2 * Math.PI) / switches.length;
    return [
      { name, kind: "switch" as const, hosts: 0, ...at(inner, angle) },
      ...mine.map(({ name: host, hosts }, j) => ({
        name: host,
        kind: "host" as const,
        hosts,
        ...at(outer, angle + spread * ((j + 0.5) / mine.length - 0.5)),
      })),
    ];
  });
}
