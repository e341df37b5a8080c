import '@mantine/core/styles.layer.css';
import './shell/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startTexts } from './i18n/i18n.ts';

const place = document.getElementById('page');
if (place === null) throw new Error('index.html has no place for the page.');

startTexts();
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
