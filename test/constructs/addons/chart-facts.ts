import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChartFacts } from '../../../scripts/charts/render-facts';

/** Facts from renders of the bundled charts by Helm itself, by chart (`npm run charts`). */
export const CHART_FACTS = JSON.parse(readFileSync(join(__dirname, 'chart-facts.generated.json'), 'utf8')) as Readonly<Record<string, ChartFacts>>;
