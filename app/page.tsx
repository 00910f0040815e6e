import { Board } from "#components/board/board.tsx";

export default function HomePage() {
  return <Board />;
}
