import { Button } from '@mantine/core';
import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

function Broken() {
  const { t } = useTranslation('shell');
  return (
    <div className="page-state" role="alert">
      <h2>{t('broken')}</h2>
      <p>{t('brokenNext')}</p>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </div>
  );
}

/** Error boundary for a part of the page that cannot be loaded or rendered. */
export class LoadingBoundary extends Component<
  { readonly children: ReactNode },
  { readonly isBroken: boolean }
> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Broken /> : this.props.children;
  }
}

/** A component whose code is a separate file, loaded on the first render or by `load`. */
type Part<Props> = ComponentType<Props> & {
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
export function lazyPart<Props extends object>(
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
