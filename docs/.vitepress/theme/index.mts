// The default theme without its fonts: the reader's own are used, and nothing is loaded.
import './style.css';

export { default } from 'vitepress/theme-without-fonts';
