<?php

declare(strict_types=1);

namespace Warung;

/** Store of the cursor in a file. Its replacement is atomic, so that a crash leaves the old or the new one. */
final class FileCursor implements CursorStore
{
    public function __construct(private readonly string $path)
    {
    }

    public function load(): ?int
    {
        if (!is_file($this->path)) {
            return null;
        }
        $text = trim((string) file_get_contents($this->path));
        return ctype_digit($text) ? (int) $text : throw new \RuntimeException("$this->path holds no cursor");
    }

    public function save(int $sequence): void
    {
        $beside = "$this->path.new";
        $file = fopen($beside, 'w');
        if ($file === false || fwrite($file, (string) $sequence) === false || !fsync($file)) {
            throw new \RuntimeException("$beside cannot be written");
        }
        fclose($file);
        if (!rename($beside, $this->path)) {
            throw new \RuntimeException("$this->path cannot be replaced");
        }
    }
}
