import { useEffect, useState } from 'react';

/** Counts up to `target`, one step at a time, so that long rendering does not block the page. */
export function useGradually(target: number, isAllowed: boolean): number {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (!isAllowed || count >= target) return;
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [count, target, isAllowed]);
  return isAllowed ? Math.min(count, target) : 0;
}
