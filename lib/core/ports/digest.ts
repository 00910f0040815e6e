/** SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
export type Digest = (text: string) => string;
