/*
 * Writes into the pages of docs/blueprints/ the programs of examples/blueprint-*, what they make and what that costs, from the golden output.
 *
 * With `--check` it writes nothing and fails if a page is not what the examples and their output say.
 */
import { pages } from './pages';
import { writeGeneratedFiles } from '../generated-files';

writeGeneratedFiles('blueprints', pages());
