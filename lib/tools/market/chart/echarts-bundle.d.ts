// One file instead of the 600 behind `echarts`: it loads in a fifteenth of the time.
declare module "echarts/dist/echarts.esm.min.mjs" {
  export * from "echarts";
}
