import type { DesktopState } from '../../../bridge.ts';

/** What a new user sees first: there is no club yet. */
export function Welcome({
  state,
}: {
  readonly state: DesktopState;
  readonly showClub: (club: number | null) => Promise<void>;
}) {
  return <main>{state.versions.app}</main>;
}
