export default function HomePage() {
  return <h1>Deskboard</h1>;
}
