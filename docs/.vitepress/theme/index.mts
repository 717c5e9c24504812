// The default theme without its fonts: the reader's own are used, and nothing is loaded.
export { default } from 'vitepress/theme-without-fonts';
