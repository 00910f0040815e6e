import type { EChartsOption, LinearGradientObject, LineSeriesOption } from "echarts";
import { groupedDecimal } from "#lib/protocol/decimal.ts";
import { marketLabel } from "#lib/tools/market/market.ts";
import { axisBounds, axisText } from "./chart-axis.ts";
import type { ChartData } from "./chart-data.ts";

/** The chart's size before it is scaled up. */
export const chartSize = { width: 800, height: 440 } as const;

/** The families of the fonts that `chart-picture.ts` loads. */
export const chartFonts = { sans: "Inter", mono: "JetBrains Mono" } as const;

/** One card for dark and light pages. It stays grey: amber, red, green and blue mean something else on a page. */
export const chartColours = {
  card: "#16191f",
  edge: "#2c323c",
  grid: "#262b34",
  text: "#eceff3",
  muted: "#a3abb8",
  line: "#c4d0de",
} as const;

const { card, edge, grid, text, muted, line } = chartColours;
const margin = 28;
const plot = { left: margin, right: 92, top: 116, bottom: 44 };
// Its digits have one width: for every number.
const mono = { fontFamily: chartFonts.mono, fontSize: 13, lineHeight: 19, color: muted };
const heading = { fontSize: 22, lineHeight: 26, fontWeight: 600, color: text } as const;
const mostDates = 7;

/** How ECharts draws it: a line and its area through the closes, dashed on to a ring for now, and the average across. */
export function chartOption(data: ChartData): EChartsOption {
  const { closes, now, decimals } = data;
  const dates = [...closes.map(({ date }) => date), now.marketTime.slice(0, 10)];
  const bounds = axisBounds([...closes.map(({ close }) => Number(close)), Number(now.price)]);
  const datesStep = Math.ceil(dates.length / mostDates);
  return {
    animation: false,
    title: headings(data),
    grid: plot,
    xAxis: {
      type: "category",
      boundaryGap: false,
      data: dates,
      axisLine: { lineStyle: { color: edge } },
      axisTick: { show: false },
      axisLabel: {
        ...mono,
        margin: 12,
        alignMinLabel: "left",
        interval: (index: number) => (dates.length - 1 - index) % datesStep === 0,
        formatter: shortDate,
      },
    },
    yAxis: {
      type: "value",
      position: "right",
      ...bounds,
      splitLine: { lineStyle: { color: grid } },
      axisLabel: { ...mono, margin: 14, formatter: (value: number) => axisText(value, bounds.interval, decimals) },
    },
    series: [...closesSeries(data), nowSeries(data)],
  };
}

function headings({ symbol, closes, now, average, changePercent }: ChartData): EChartsOption["title"] {
  const count = closes.length === 1 ? "1 daily close" : `${closes.length} daily closes`;
  const at = `${shortDate(now.marketTime)} ${now.marketTime.slice(11, 16)} UTC`;
  const since = `${changePercent} since ${shortDate(closes[0]?.date ?? now.marketTime)}`;
  const common = { top: 20, itemGap: 6, padding: 0 };
  return [
    {
      ...common,
      left: margin,
      text: symbol,
      subtext: `${count}, and now: ${at}\n${marketLabel}`,
      textStyle: { ...heading, fontFamily: chartFonts.sans },
      subtextStyle: mono,
    },
    {
      ...common,
      left: chartSize.width - margin,
      textAlign: "right",
      text: groupedDecimal(now.price),
      subtext: `${since}\n··· average ${groupedDecimal(average)}`,
      textStyle: { ...heading, fontFamily: chartFonts.mono },
      subtextStyle: mono,
    },
  ];
}

/** The closes; where the replay went round, the line ends and another begins. */
function closesSeries(data: ChartData): LineSeriesOption[] {
  const { closes, wentRoundAt, average, decimals } = data;
  const seam = wentRoundAt ?? closes.length;
  const part = (from: number, to: number): LineSeriesOption => ({
    type: "line",
    data: closes.map(({ close }, index) => (index >= from && index < to ? Number(close) : null)),
    symbol: "circle",
    symbolSize: closes.length > 30 ? 3 : 5,
    showAllSymbol: true,
    itemStyle: { color: line },
    lineStyle: { color: line, width: 2 },
    areaStyle: { origin: "start", color: fadingDown },
  });
  const averageLine = { yAxis: Number(average), lineStyle: { color: muted, type: [2, 4], width: 1.25 } };
  const seamLine = {
    xAxis: seam,
    lineStyle: { color: muted, type: "solid", width: 1 },
    label: { ...mono, show: true, position: "end", formatter: "the replay went round" },
  };
  return [
    {
      ...part(0, seam),
      markLine: {
        silent: true,
        symbol: "none",
        animation: false,
        // Without it, what is marked is rounded to two decimals.
        precision: decimals,
        label: { show: false },
        data: (wentRoundAt === null ? [averageLine] : [averageLine, seamLine]) as NonNullable<
          LineSeriesOption["markLine"]
        >["data"],
      },
    },
    ...(wentRoundAt === null ? [] : [part(seam, closes.length)]),
  ];
}

function nowSeries({ closes, now }: ChartData): LineSeriesOption {
  const nowIndex = closes.length;
  return {
    type: "line",
    data: [...closes.map(({ close }, index) => (index === nowIndex - 1 ? Number(close) : null)), Number(now.price)],
    showAllSymbol: true,
    symbol: "circle",
    symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) => (dataIndex === nowIndex ? 11 : 0),
    itemStyle: { color: card, borderColor: text, borderWidth: 2.5 },
    lineStyle: { color: text, width: 2, type: [4, 4] },
  };
}

const fadingDown: LinearGradientObject = {
  type: "linear",
  x: 0,
  y: 0,
  x2: 0,
  y2: 1,
  colorStops: [
    { offset: 0, color: "rgba(196, 208, 222, 0.22)" },
    { offset: 1, color: "rgba(196, 208, 222, 0)" },
  ],
};

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function shortDate(date: string): string {
  return `${months[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8, 10))}`;
}
