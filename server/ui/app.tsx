import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './base/client.ts';
import { bridge, desktopTheme, useDesktopState } from './base/desktop.ts';
import { startTexts, useLanguage } from './base/i18n.ts';
import { LoadingBoundary, lazyPart } from './base/lazy-part.tsx';
import { RouteProvider, useRoute } from './base/navigation.ts';
import { theme } from './base/theme.ts';
import { DesktopGate } from './shell/desktop-gate.tsx';
import { Page } from './shell/page.tsx';
import { useSession } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';

const HelpPage = lazyPart(async () => (await import('./manage/help/help-page.tsx')).HelpPage);

function BrowserGate() {
  const session = useSession();
  const { manage } = useRoute();
  // Also for those who have no key yet.
  if (manage === 'help') {
    return (
      <LoadingBoundary>
        <HelpPage />
      </LoadingBoundary>
    );
  }
  if (session.state === 'looking') return null;
  if (session.state === 'out') {
    return (
      <LoadingBoundary>
        <SignIn reason={session.reason} onKey={session.signIn} />
      </LoadingBoundary>
    );
  }
  const { key, account, signOut } = session;
  return <Page key={account} accessKey={key} account={account} onSignOut={signOut} />;
}

type AppearanceProps = Pick<ComponentProps<typeof MantineProvider>, 'colorSchemeManager'> & {
  readonly children: ReactNode;
};

/** The theme and the language of everything below. */
function Appearance(props: AppearanceProps) {
  useLanguage();
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Both would write style elements, which the content security policy does not allow.
      withCssVariables={false}
      withGlobalClasses={false}
      {...props}
    />
  );
}

function DesktopApp() {
  const state = useDesktopState();
  // Without the settings, the first paint would flash the wrong theme and language.
  if (state === undefined) return null;
  return (
    <Appearance colorSchemeManager={desktopTheme}>
      <LoadingBoundary>
        <DesktopGate />
      </LoadingBoundary>
    </Appearance>
  );
}

/** The page: behind a sign-in in a browser, with the management screens in the desktop window. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      <RouteProvider>
        {bridge === undefined ? (
          <Appearance>
            <BrowserGate />
          </Appearance>
        ) : (
          <DesktopApp />
        )}
      </RouteProvider>
    </QueryClientProvider>
  );
}

/** Shows the page; `fail` gets every error that no boundary inside it catches. */
export function startPage(container: HTMLElement, fail: (error: unknown) => void): void {
  startTexts();
  createRoot(container, { onUncaughtError: fail }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
