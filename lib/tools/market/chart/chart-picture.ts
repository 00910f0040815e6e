import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { init } from "echarts/dist/echarts.esm.min.mjs";
import type { ChartData } from "./chart-data.ts";
import { chartColours, chartFonts, chartOption, chartSize } from "./chart-option.ts";

// Pixels for each unit of the chart: sharp on dense screens, and when it is zoomed.
const scale = 2;

// The faces of the pages, as the files that resvg can read: it knows no woff2, and no font of the system is needed.
const fontFiles = [
  import.meta.resolve("@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf"),
  import.meta.resolve("@expo-google-fonts/jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf"),
  import.meta.resolve("@expo-google-fonts/jetbrains-mono/600SemiBold/JetBrainsMono_600SemiBold.ttf"),
].map((file) => fileURLToPath(file));

/** Draws a chart as a PNG. It takes the thread for some tenths of a second: a server calls it in a worker. */
export function chartPicture(data: ChartData): Uint8Array<ArrayBuffer> {
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: chartFonts.sans };
  const resvg = new Resvg(onCard(chartSvg(data)), { font, fitTo: { mode: "zoom", value: scale } });
  return Uint8Array.from(resvg.render().asPng());
}

function chartSvg(data: ChartData): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, ...chartSize });
  try {
    chart.setOption(chartOption(data));
    return chart.renderToSVGString();
  } finally {
    // Its timer would keep the process alive.
    chart.dispose();
  }
}

/** A card with round corners behind it; outside of them the page shows. */
function onCard(svg: string): string {
  const { width, height } = chartSize;
  const box = `x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="12"`;
  return svg.replace(/<svg[^>]*>/, (start) => {
    return `${start}<rect ${box} fill="${chartColours.card}" stroke="${chartColours.edge}"/>`;
  });
}
