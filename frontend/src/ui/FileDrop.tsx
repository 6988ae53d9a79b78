import { useState, type ReactNode } from "react";

type Props = {
  className: string | undefined;
  /** Kinds of files offered, as the input element has them. */
  accept: string;
  multiple?: boolean;
  onFiles: (files: FileList | null) => void;
  children: ReactNode;
};

/** A place to drop files on, or to choose them at; ``data-over`` says that some are held over it. */
export function FileDrop({ className, accept, multiple = false, onFiles, children }: Props) {
  const [over, setOver] = useState(false);
  return (
    <label
      className={className}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer.files);
      }}
    >
      {children}
      <input
        type="file"
        multiple={multiple}
        accept={accept}
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}
