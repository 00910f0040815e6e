"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useHydrated } from "./use-hydrated.ts";
import { Button } from "./button.tsx";

const order = ["system", "dark", "light"] as const;
const icons = { system: Monitor, dark: Moon, light: Sun };
const words = { system: "as the system", dark: "dark", light: "light" };

/** Goes round: as the system, dark, light. */
export function ThemeToggle() {
  const { theme, setTheme } = useTheme();
  const hydrated = useHydrated();
  const now = (hydrated && order.find((one) => one === theme)) || "system";
  const next = order[(order.indexOf(now) + 1) % order.length] ?? "system";
  const Icon = icons[now];
  const label = `Theme: ${words[now]}. Change to ${words[next]}`;
  return (
    <Button look="quiet" aria-label={label} title={label} onClick={() => setTheme(next)}>
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}
