import { useApplication } from '../desktop.tsx';

/** What a new user sees first: there is no club yet. */
export function Welcome() {
  const { state } = useApplication();
  return <main>{state.versions.app}</main>;
}
