/** Short names of the sizing rules, for the lines in the plots; a rule without one is called by its title. */
const short: Record<string, string> = {
  bdp: "BDP",
  bdp_over_root_n: "BDP/√n",
  root_n_for_utilisation: "Gaussian",
  tiny_buffer: "tiny",
  short_flow_bound: "short flows",
  law_dependent: "one flow",
  bscl: "loss bound",
  incast_first_window: "first windows",
};

export function shortLabel(name: string, title: string): string {
  return short[name] ?? (title.length > 16 ? `${title.slice(0, 15)}…` : title);
}
