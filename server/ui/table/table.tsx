import { useShown } from '../events/shown.tsx';

export function TableView() {
  const { events } = useShown();
  return <p>{events.length}</p>;
}
