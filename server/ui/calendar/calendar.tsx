import { useShown } from '../events/shown.tsx';

export function CalendarView() {
  const { events } = useShown();
  return <p>{events.length}</p>;
}
