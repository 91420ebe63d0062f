navigator.mediaDevices.getUserMedia = async () => {
    const [canvas, image] = [document.createElement('canvas'), new Image()];
    image.src = 'data:image/jpeg;base64,PHOTO';
    await image.decode();
    [canvas.width, canvas.height] = [image.width, image.height];
    window.left = 0;
    setInterval(() => {
        const pen = canvas.getContext('2d');
        pen.fillRect(0, 0, canvas.width, canvas.height);
        pen.drawImage(image, -window.left * image.width, 0);
    }, 50);
    window.filmed = canvas.captureStream(20);
    return window.filmed;
};
