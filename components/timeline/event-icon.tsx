import {
  Ban,
  Check,
  CirclePause,
  CornerDownRight,
  FileLock,
  Hand,
  Hourglass,
  MessageSquare,
  Play,
  ServerOff,
  Settings2,
  Square,
  Wrench,
} from "lucide-react";
import type { EventKind } from "#lib/protocol/events.ts";
import { classes } from "#components/ui/classes.ts";
import type { RowLook } from "./event-words.ts";

const icons = {
  message: MessageSquare,
  trigger_queued: Hourglass,
  turn_started: Play,
  turn_ended: Square,
  tool_call: Wrench,
  tool_result: CornerDownRight,
  user_request: Hand,
  user_request_changed: Check,
  backend_failed: ServerOff,
  desk_changed: Settings2,
  policy_changed: FileLock,
} as const;

const looks = {
  plain: "text-muted",
  quiet: "text-faint",
  done: "text-done",
  failed: "text-failed",
  waits: "text-waits",
};

/** The sign of a row: what kind of thing happened. */
export function EventIcon({ kind, look }: { kind: EventKind; look: RowLook }) {
  const held = kind === "tool_result" && look === "waits";
  const refused = (kind === "tool_result" || kind === "user_request_changed") && look === "failed";
  const Icon = held ? CirclePause : refused ? Ban : icons[kind];
  return <Icon aria-hidden className={classes("mt-[3px] size-3.5", looks[look])} />;
}
