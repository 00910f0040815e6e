const pad = (value: number) => String(value).padStart(2, "0");

/** `14:02:11` of a time in the record, which is UTC; `--:--:--` where it is none. */
export function timeOfDay(iso: string): string {
  return /^\d{4}-\d{2}-\d{2}T(\d{2}:\d{2}:\d{2})/.exec(iso)?.[1] ?? "--:--:--";
}

/** `2026-09-08 14:02:11 UTC`, for where the day matters. */
export function dayAndTime(iso: string): string {
  return `${iso.slice(0, 10)} ${timeOfDay(iso)} UTC`;
}

/** Seconds as `0:42`, `14:02` or `23:59:10`. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** `38 ms`, `2.1 s`, `1:05`. */
export function durationOf(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : clockOf(ms / 1_000);
}
