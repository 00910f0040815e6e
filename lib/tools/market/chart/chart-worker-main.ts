// The thread that draws: it gets a chart's data and answers with the PNG's bytes, or with the words of what failed.
import { parentPort } from "node:worker_threads";
import type { ChartData } from "./chart-data.ts";
import { chartPicture } from "./chart-picture.ts";

parentPort?.on("message", (data: ChartData) => {
  try {
    const bytes = chartPicture(data);
    parentPort?.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
});
