/** Every limit of the doors and of the domain, in one place. Sizes are bytes unless the name says otherwise. */
export const limits = {
  /** Largest HTTP request body. */
  bodyBytes: 8 * 1024 * 1024,
  /** Largest tool call arguments, as JSON text. */
  argumentsBytes: 2 * 1024 * 1024,
  /** Deepest nesting of arguments. */
  argumentsDepth: 64,
  /** Largest page of a list, in rows. */
  pageRows: 500,
  /** Rows of a page when none is asked for. */
  defaultPageRows: 100,
  /** Largest page of a list, by what its rows weigh. */
  pageBytes: 4 * 1024 * 1024,
  /** Longest message to a desk, in characters. */
  messageCharacters: 20_000,
  /** Longest note with a decision, in characters. */
  noteCharacters: 4_000,
  /** Longest free answer ("Other"), in characters. */
  otherCharacters: 20_000,
  /** Longest desk name, in characters. */
  deskNameCharacters: 40,
  /** Longest instructions of a desk, in characters. */
  instructionsCharacters: 100_000,
  /** Longest client-chosen id, in characters. */
  clientIdCharacters: 100,
  /** Longest result text that is kept whole; what is longer is cut on a whole character and says so. */
  resultCharacters: 1_500_000,
  /** Longest search text, in characters. */
  searchCharacters: 200,
  /** Questions of one `ask_user` call. */
  questions: { least: 1, most: 4 },
  /** Options of one question. */
  options: { least: 2, most: 4 },
  /** Longest question text, in characters. */
  questionCharacters: 500,
  /** Longest header of a question, in characters. */
  headerCharacters: 12,
  /** Most words of an option's label. */
  labelWords: 5,
  /** Longest label, in characters. */
  labelCharacters: 60,
  /** Longest description of an option, in characters. */
  descriptionCharacters: 500,
  /** Longest preview of an option, in characters. */
  previewCharacters: 60_000,
  /** Largest picture of a result. */
  pictureBytes: 4 * 1024 * 1024,
  /** Largest message that the socket takes. */
  socketMessageBytes: 64 * 1024,
  /** Largest event that the socket brings whole; a larger one is read over HTTP. */
  liveEventBytes: 32 * 1024,
  /** Desks that one socket watches by their names. */
  watchedDesks: 100,
  /** How long an approval stays good for a start, restarts included, in milliseconds. */
  runByMs: 60_000,
  /** How long what a tool computes for the card (facts, ticket) may take, in milliseconds. */
  factsTimeoutMs: 2_000,
  /** How often an interrupted turn is run at most. */
  turnRuns: 3,
  /** For how long a decided request still marks a new hold of the same call, in milliseconds. */
  decidedBeforeMs: 24 * 60 * 60 * 1000,
} as const;
