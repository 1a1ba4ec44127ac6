/** WordNet dictionary forms; each returns its input when it knows no shorter one. */
declare module 'wink-lemmatizer' {
  const lemmatizer: {
    verb(word: string): string;
    noun(word: string): string;
    adjective(word: string): string;
  };
  export default lemmatizer;
}
