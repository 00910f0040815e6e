"use client";

import { MessageBox } from "#components/messages/message-box.tsx";
import { WaitingList } from "#components/requests/waiting-list.tsx";
import { Timeline } from "#components/timeline/timeline.tsx";
import { Banners } from "./banners.tsx";
import { BoardHeader } from "./board-header.tsx";
import { DeskList } from "./desk-list.tsx";

const skipTo = [
  { href: "#waiting", label: "To what waits" },
  { href: "#write", label: "To the box to write to a desk" },
  { href: "#timeline", label: "To the newest events" },
];

/** The whole of the one page: what waits, what happens, and a box to write to a desk. */
export function Board() {
  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh lg:overflow-hidden">
      <nav aria-label="Skip" className="absolute">
        {skipTo.map((link) => (
          <a
            key={link.href}
            href={link.href}
            className="sr-only rounded-md bg-raised focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-30 focus:border focus:border-line-strong focus:px-3 focus:py-2"
          >
            {link.label}
          </a>
        ))}
      </nav>
      <BoardHeader />
      <main className="grid min-h-0 grow lg:grid-cols-[15rem_minmax(0,1fr)_minmax(26rem,36rem)] lg:grid-rows-[minmax(0,1fr)_auto]">
        <div className="border-line p-3 max-lg:border-b lg:row-span-2 lg:overflow-y-auto lg:border-e">
          <DeskList />
        </div>
        <div className="p-3 lg:col-start-3 lg:row-span-2 lg:row-start-1 lg:overflow-y-auto lg:border-s lg:border-line">
          <WaitingList />
        </div>
        <div className="border-t border-line p-3 lg:col-start-2 lg:row-start-2">
          <MessageBox />
        </div>
        <div className="min-h-0 max-lg:h-[75dvh] max-lg:border-t max-lg:border-line lg:col-start-2 lg:row-start-1">
          <Timeline />
        </div>
      </main>
      <Banners />
    </div>
  );
}
