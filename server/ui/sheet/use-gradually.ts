import { useEffect, useState } from 'react';

/** Counts up to a number, one after each frame: for what would hold the page if made at once. */
export function useGradually(target: number, isAllowed: boolean): number {
  const [made, setMade] = useState(1);
  useEffect(() => {
    if (!isAllowed || made >= target) return;
    const timer = setTimeout(() => setMade(made + 1));
    return () => clearTimeout(timer);
  }, [made, target, isAllowed]);
  return isAllowed ? Math.min(made, target) : 0;
}
