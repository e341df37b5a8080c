import { Button } from '@mantine/core';
import {
  Component,
  type ComponentType,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import {
  createUnsavedFields,
  forgetUnsaved,
  readUnsaved,
  UnsavedContext,
  type UnsavedFields,
} from './unsaved.ts';

/** The code of a part could not be loaded; `cause` is the reason. */
class LoadError extends Error {}

function NotLoaded() {
  const { t } = useTranslation('shell');
  return (
    <div className="stack page-state" role="alert">
      <h2>{t('broken')}</h2>
      <p>{t('brokenNext')}</p>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </div>
  );
}

/** The message about a fault in a part, with the unsaved text of its fields if the fault repeats. */
function Faulty(props: {
  readonly fields: UnsavedFields;
  readonly isRepeated: boolean;
  readonly onRetry: () => void;
}) {
  const { fields, isRepeated, onRetry } = props;
  const { t } = useTranslation('shell');
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The focus was in this part, unless it is elsewhere.
    if (document.activeElement === document.body) title.current?.focus();
  }, []);
  const unsaved = [...fields.names].flatMap(([name, describe]) => {
    const text = readUnsaved(name);
    return text === null ? [] : [{ name, words: describe(text) }];
  });
  const startOver = () => {
    for (const { name } of unsaved) forgetUnsaved(name);
    onRetry();
  };
  const words = unsaved.map((field) => field.words).filter((text) => text !== '');
  return (
    <div className="stack page-state" role="alert">
      <h2 ref={title} tabIndex={-1}>
        {t('fault')}
      </h2>
      <p>{t('faultNext')}</p>
      <div className="flow page-state-actions">
        <Button onClick={onRetry}>{t('again')}</Button>
        {isRepeated && (
          <Button variant="default" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        )}
      </div>
      {isRepeated && words.length > 0 && (
        <>
          <label htmlFor={id}>{t('typed')}</label>
          <textarea id={id} readOnly rows={5} dir="auto" value={words.join('\n')} />
        </>
      )}
      {isRepeated && unsaved.length > 0 && (
        <Button variant="default" onClick={startOver}>
          {t('faultStartOver')}
        </Button>
      )}
    </div>
  );
}

type Failure = { readonly error: unknown };

/** Error boundary for a part of the page. The unsaved text below it is kept. */
export class LoadingBoundary extends Component<
  { readonly children: ReactNode },
  { readonly failure: Failure | undefined; readonly retries: number }
> {
  readonly #fields = createUnsavedFields();
  override state: { readonly failure: Failure | undefined; readonly retries: number } = {
    failure: undefined,
    retries: 0,
  };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  readonly #retry = () =>
    this.setState(({ retries }) => ({ failure: undefined, retries: retries + 1 }));

  override render(): ReactNode {
    const { failure, retries } = this.state;
    this.#fields.hasFailed = failure !== undefined;
    if (failure?.error instanceof LoadError) return <NotLoaded />;
    if (failure !== undefined) {
      return <Faulty fields={this.#fields} isRepeated={retries > 0} onRetry={this.#retry} />;
    }
    return <UnsavedContext value={this.#fields}>{this.props.children}</UnsavedContext>;
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
    if (failed) throw new LoadError('The code of a part is missing.', { cause: failed.error });
    return Code === undefined ? <Waiting /> : <Code {...props} />;
  }
  return Object.assign(Part, { load });
}
