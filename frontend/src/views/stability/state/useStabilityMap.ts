import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { mapQuery } from "@/views/stability/api";
import { valuesOf, type MapAxis } from "@/views/stability/lib/mapAxes";
import { noCells, piecesOf, withPiece, type Cells, type Piece } from "@/views/stability/lib/mapCells";
import { canonical, type JsonObject } from "@/lib/path";

export type StabilityMap = { x: MapAxis; y: MapAxis; xs: number[]; ys: number[]; cells: Cells };

const SIDE = 40;
/** Milliseconds without another edit before a map is begun; the verdict does not wait. */
const PAUSE = 120;

type Found = { key: string; map: StabilityMap; left: number };

/**
 * The map of a scenario over two axes, filled in while the server works on it; what was asked of an earlier scenario
 * is given up. `ready`: the verdict is there, so that the map does not stand in its way.
 */
export function useStabilityMap(
  scenario: JsonObject | undefined,
  x: MapAxis | undefined,
  y: MapAxis | undefined,
  ready: boolean,
) {
  const client = useQueryClient();
  const [found, setFound] = useState<Found>();
  const [refused, setRefused] = useState<{ key: string; error: Error }>();
  const question = useMemo(() => {
    if (scenario === undefined || x === undefined || y === undefined || x.field.path === y.field.path) return undefined;
    const [xs, ys] = [valuesOf(x, SIDE), valuesOf(y, SIDE)];
    return { scenario, x, y, xs, ys, key: canonical([scenario, x.field.path, xs, y.field.path, ys]) };
  }, [scenario, x, y]);

  const done = question !== undefined && found?.key === question.key && found.left === 0;
  useEffect(() => {
    if (question === undefined || !ready || done) return;
    const { key, xs, ys } = question;
    let stopped = false;
    let pending: ReturnType<typeof asked> | undefined;
    const asked = (piece: Piece) =>
      mapQuery({
        scenario: question.scenario,
        x: { path: question.x.field.path, values: piece.columns.map((i) => xs[i] ?? 0) },
        y: { path: question.y.field.path, values: piece.rows.map((i) => ys[i] ?? 0) },
      });
    const fill = async () => {
      const pieces = piecesOf(xs.length, ys.length);
      let map: StabilityMap = { x: question.x, y: question.y, xs, ys, cells: noCells(xs.length, ys.length) };
      for (const [i, piece] of pieces.entries()) {
        pending = asked(piece);
        const answer = await client.query(pending);
        if (stopped) return;
        map = { ...map, cells: withPiece(map.cells, piece, answer) };
        setFound({ key, map, left: pieces.length - 1 - i });
      }
    };
    const timer = window.setTimeout(() => {
      fill().catch((error: unknown) => {
        if (!stopped) setRefused({ key, error: error instanceof Error ? error : new Error(String(error)) });
      });
    }, PAUSE);
    return () => {
      stopped = true;
      window.clearTimeout(timer);
      if (pending !== undefined) void client.cancelQueries({ queryKey: pending.queryKey, exact: true });
    };
    // Progress of its own must not begin the map anew.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [client, question?.key, ready]);

  return {
    map: found?.map,
    /** The values shown belong to an earlier question. */
    stale: found?.key !== question?.key,
    left: found?.key === question?.key ? (found?.left ?? 0) : undefined,
    error: refused !== undefined && refused.key === question?.key ? refused.error : undefined,
  };
}
