<?php

declare(strict_types=1);

// Loads the classes of this folder without Composer: require this file, and nothing else.
spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Warung\\')) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Warung\\'))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
