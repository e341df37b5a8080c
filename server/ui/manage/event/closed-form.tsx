import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoute } from '../../base/navigation.ts';
import { ClosedReason } from '../parts/closed.tsx';
import { FormFrame } from './form-frame.tsx';

/** The form of a mirrored club: the reason why it is closed. */
export function ClosedForm() {
  const { t } = useTranslation('mirrored');
  const { form } = useRoute();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <FormFrame title={t(form === 'edit' ? 'noEdit' : 'noNew')} heading={heading}>
      <div className="stack wide event-form-body">
        <ClosedReason what="club" />
      </div>
    </FormFrame>
  );
}
