import 'uplot/dist/uPlot.min.css';
// In this order: later ones refine earlier ones.
import './style/frame.css';
import './style/tables.css';
import 'virtual:figures.css';
import './style/charts.css';
import './style/pages.css';
import './style/sessions.css';
import './style/gate-tree.css';
import './style/narrow.css';

import { render } from 'preact';

import { App } from './app.tsx';
import { embeddedData, embeddedSource } from './source/embedded-source.ts';
import { httpSource } from './source/http-source.ts';
import { applyTheme } from './common/theme.ts';

applyTheme();
const embedded = embeddedData();
const source = embedded === undefined ? httpSource('api/v1/') : embeddedSource(embedded);
const root = document.querySelector('#app');
if (root !== null) render(<App source={source} madeAt={embedded?.made_at} />, root);
