import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Logo, type LogoProblem, logoFiles, readLogo } from './logo.ts';
import { LogoPicture } from './paper.tsx';

/** The club's logo, chosen from a file. */
export function LogoField(props: {
  readonly image: HTMLImageElement | null | undefined;
  readonly hasLogo: boolean;
  readonly onLogo: (logo: Logo | null) => void;
}) {
  const { image, hasLogo, onLogo } = props;
  const { t } = useTranslation('print');
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<LogoProblem | undefined>();
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const logo = await readLogo(file);
    setProblem(typeof logo === 'string' ? logo : undefined);
    if (typeof logo !== 'string') onLogo(logo);
  };
  const remove = () => {
    setProblem(undefined);
    onLogo(null);
    // The button for this disappears.
    choose.current?.focus();
  };
  return (
    <div>
      <div className="row studio-logo">
        {image && <LogoPicture image={image} />}
        <span className="studio-label">{t('logo')}</span>
        <span className="studio-logo-ends">
          <Button
            ref={choose}
            variant="default"
            size="compact-sm"
            onClick={() => input.current?.click()}
          >
            {t(hasLogo ? 'changeLogo' : 'chooseLogo')}
          </Button>
          {hasLogo && (
            <Button variant="subtle" size="compact-sm" onClick={remove}>
              {t('removeLogo')}
            </Button>
          )}
        </span>
        <input
          ref={input}
          type="file"
          accept={logoFiles}
          aria-label={t('logo')}
          hidden
          onChange={({ currentTarget }) => {
            void read(currentTarget.files?.[0]);
            // Otherwise the same file could not be chosen again.
            currentTarget.value = '';
          }}
        />
      </div>
      <p role="alert" className="small studio-problem">
        {problem && t(problem)}
      </p>
    </div>
  );
}
