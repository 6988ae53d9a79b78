// The basic build is a part of Plotly and has its types.
declare module "plotly.js-basic-dist-min" {
  export * from "plotly.js";
}
