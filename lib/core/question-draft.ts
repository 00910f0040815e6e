/** A question as a desk asks it, before the server gives it ids. */
export interface QuestionDraft {
  question: string;
  header: string;
  options: { label: string; description: string; preview?: string | undefined }[];
  multiSelect: boolean;
}
