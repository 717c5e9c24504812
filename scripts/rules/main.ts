/**
 * Writes src/cli/explain/reports.generated.ts, from which `explain` reads how synthesis words its reports.
 *
 * With `--check` it writes nothing and fails if the file is not what the code says.
 */
import { renderReports, reportsOfRules } from './reports';
import { writeGeneratedFiles } from '../generated-files';

writeGeneratedFiles('rules', new Map([['src/cli/explain/reports.generated.ts', renderReports(reportsOfRules())]]));
