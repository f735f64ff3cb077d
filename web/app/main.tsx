import 'uplot/dist/uPlot.min.css';
import './style.css';

import { render } from 'preact';

import { App } from './app.tsx';
import { embeddedData, embeddedSource } from './source/embedded-source.ts';
import { httpSource } from './source/http-source.ts';
import { applyTheme } from './theme.ts';

applyTheme();
const embedded = embeddedData();
const source = embedded === undefined ? httpSource('api/v1/') : embeddedSource(embedded);
const root = document.querySelector('#app');
if (root !== null) render(<App source={source} madeAt={embedded?.made_at} />, root);
