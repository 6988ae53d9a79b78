export type Picture = {
  file: string;
  address: string;
  size: { width: number; height: number };
  press?: string[];
  part?: string;
  top?: string;
  sources: string[];
};
export const PICTURES: Picture[];
export const MANIFEST: string;
export function digestOf(root: string, picture: Picture): string;
export function manifestOf(root: string): Record<string, { picture: string; sources: string }>;
export function stale(root: string): string[];
