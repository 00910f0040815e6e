"use client";

import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  /** Shown in place of children that could not be rendered. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps a part that cannot be rendered from taking the page with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}
