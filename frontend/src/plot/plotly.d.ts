// The cartesian build is a part of Plotly and has its types.
declare module "plotly.js-cartesian-dist-min" {
  export * from "plotly.js";
}
