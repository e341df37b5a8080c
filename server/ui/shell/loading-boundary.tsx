import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
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
