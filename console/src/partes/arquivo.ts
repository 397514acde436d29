/** Base64 of a file, without the `data:` in front of it. */
export function comoBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error('O arquivo não pôde ser lido.'));
    reader.readAsDataURL(file);
  });
}
