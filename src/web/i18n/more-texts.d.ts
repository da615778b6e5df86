/** Made by `splitTexts` in the build's configuration. */
declare module 'virtual:more-texts' {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  export default texts
}
