import '../manage.css';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent, useWindowTitle } from '../../base/browser.ts';
import { IconArrowLeft } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { HelpScreen } from './help.tsx';

/** The help as a page of its own, for a browser, which has no other management screen. */
export function HelpPage() {
  const { t } = useTranslation('manage');
  const title = useRef<HTMLHeadingElement>(null);
  useWindowTitle([t('help')]);
  useEffect(() => {
    window.scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
    return focusContent;
  }, []);
  return (
    <div className="managing">
      <div className="managing-places">
        <nav className="managing-nav" aria-label={t('help')}>
          <button
            type="button"
            className="row pressable managing-link"
            onClick={() => goTo({ manage: null })}
          >
            <IconArrowLeft className="managing-back" size={18} stroke={1.75} aria-hidden />
            {t('back')}
          </button>
        </nav>
      </div>
      <main className="upright work">
        <div className="work-head">
          <h1 ref={title} tabIndex={-1} className="managing-title">
            {t('help')}
          </h1>
        </div>
        <div className="stack work-body">
          <HelpScreen />
        </div>
      </main>
    </div>
  );
}
