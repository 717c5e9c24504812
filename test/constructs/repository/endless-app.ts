import { writeApp } from './app-rounds';
import { endlessRounds } from '../../support/endless-rounds';

endlessRounds(writeApp);
