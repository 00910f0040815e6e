/** What the launcher could not do, in words for whoever ran it; anything else thrown is a bug in the launcher. */
export class LaunchError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = "LaunchError";
    this.exitCode = exitCode;
  }
}
