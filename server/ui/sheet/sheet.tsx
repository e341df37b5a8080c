import type { Sheet } from '../place/place.ts';

/** A sheet to be printed, as it will be on paper. */
export function SheetView({ sheet }: { readonly sheet: Sheet }) {
  return <p>{sheet}</p>;
}
