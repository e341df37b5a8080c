import { useShown } from '../events/shown.tsx';

export function SeasonView() {
  const { events } = useShown();
  return <p>{events.length}</p>;
}
