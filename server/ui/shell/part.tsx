import { type ComponentType, useEffect, useState } from 'react';

/** A component whose code is a separate file, loaded on the first render or by `load`. */
export type Part<Props> = ComponentType<Props> & {
  /** Loads the code once. Rejects if that fails; the next call retries. */
  readonly load: () => Promise<ComponentType<Props>>;
};

type LoadState<Props> = {
  readonly Code?: ComponentType<Props> | undefined;
  readonly failed?: { readonly error: unknown };
};

/**
 * Creates a part, which shows `Waiting` until its code is loaded and throws if the load fails.
 * `React.lazy` would show its fallback even for loaded code, and then for 300 ms: ten times longer
 * than loading these files takes.
 */
export function createPart<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType = () => null,
): Part<Props> {
  let loaded: ComponentType<Props> | undefined;
  const load = async () => {
    loaded ??= await read();
    return loaded;
  };
  function Part(props: Props) {
    const [{ Code, failed }, setLoadState] = useState<LoadState<Props>>(() => ({ Code: loaded }));
    useEffect(() => {
      if (Code !== undefined) return;
      load().then(
        (code) => setLoadState({ Code: code }),
        (error: unknown) => setLoadState({ failed: { error } }),
      );
    }, [Code]);
    if (failed) throw failed.error;
    return Code === undefined ? <Waiting /> : <Code {...props} />;
  }
  return Object.assign(Part, { load });
}
